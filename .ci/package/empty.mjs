// Imports nothing: what the import of any module takes on this machine (size.mjs).
