const client = require.resolve('pet-adoption-service/client')

module.exports = {
  resolve: { alias: { 'pet-adoption-service/client$': client } },
  module: {
    rules: [
      {
        test: /\.js$/,
        include: /pet-adoption-service/,
        loader: 'esbuild-loader',
        options: { target: 'es2019' },
      },
    ],
  },
  output: { hashFunction: 'sha256' },
}
