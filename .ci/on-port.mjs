// To be loaded before a program that names its port: has it listen on the port of the variable PORT instead.
import { Server } from 'node:http'
import process from 'node:process'

const port = Number(process.env.PORT)
const hostname = '127.0.0.1'

const { listen } = Server.prototype
Server.prototype.listen = function () {
  return listen.call(this, port, hostname)
}

const { Deno } = globalThis
if (Deno !== undefined) {
  const { serve } = Deno
  Deno.serve = (options, handler) => serve({ ...options, port, hostname }, handler)
}
