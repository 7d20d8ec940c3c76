import { test } from 'node:test'
import { createMemoryLimiter } from '../../core/index.ts'
import { rateLimiterContract } from './index.ts'

rateLimiterContract({ test, createLimiter: createMemoryLimiter })
