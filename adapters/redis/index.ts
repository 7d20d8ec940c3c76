export type { Backend, BackendEvent, BackendOptions, Health } from '../backend/index.ts'
export { StartupError, type StartupErrorCode } from '../backend/index.ts'
export {
  type Ioredis,
  type NodeRedis,
  type NodeRedisCluster,
  type NodeRedisSentinel,
  type RedisClient,
  redisClient,
} from './client.ts'
export type { IoredisClient, IoredisCluster, RedisDriver } from './driver.ts'
export type { FailureMode } from './failure-mode.ts'
export { createRedisLimiter, type RedisLimiterOptions } from './limiter.ts'
export { type OpenRedisOptions, openRedis, type RedisBackend } from './open.ts'
