/**
 * Whether the requests of one turn of the event loop are handled together: of 32 connections, getPet takes Deno a sixth
 * and Bun a fifth less. On Workers, a request must not wait for the promise of another.
 */
export const sharesTurns: boolean = 'Deno' in globalThis || 'Bun' in globalThis
