import type { Crowd } from '../crowd.ts'
import type { Flood } from '../flood.ts'

/** Returns a flood whose clients connect: half of them send nothing, the others half of a head. */
function connecting(count: number) {
  return (_target: unknown, crowd: Crowd) => {
    crowd.join({
      count,
      use(socket, index) {
        if (index % 2 === 0) socket.write('GET /v1/pets HTTP/1.1\r\nHost: x\r\nX-Half:')
      },
    })
    return () => []
  }
}

/** More connections than the server accepts by default. */
export const idle: Flood = {
  title: '4,000 connections, silent or with half a head',
  takesAllConnections: true,
  start: connecting(4_000),
}

/** More connections than the server has descriptors. */
export const fewDescriptors: Flood = {
  title: '600 such connections, 256 descriptors',
  descriptors: 256,
  isLogged: true,
  takesAllConnections: true,
  start: connecting(600),
}
