module.exports = {
  transform: { '\\.[jt]s$': '@swc/jest' },
  transformIgnorePatterns: ['/node_modules/(?!pet-adoption-service/)'], // the package is ESM
}
