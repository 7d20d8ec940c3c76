// Preloaded into a recipe's program: its servers listen on $PORT of 127.0.0.1 instead of the port in its code.
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
