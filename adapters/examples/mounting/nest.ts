import 'reflect-metadata'
import { createServer } from 'node:http'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import type { Request, Response } from 'express'
import { createNodeHandler, hardenServer, requireKey, serverOptions } from 'pet-adoption-service/node'
import { AppModule } from './app.module.ts'
import { service } from './pets.ts'

class HardenedAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    this.httpServer = createServer(serverOptions, this.getInstance())
    hardenServer(this.httpServer, service)
  }
}

const app = await NestFactory.create(AppModule, new HardenedAdapter())
const [pets, authenticate] = [createNodeHandler(service), requireKey(service)]
app.use('/v1', (req: Request, res: Response, next: () => void) => {
  if (req.path.startsWith('/store/')) authenticate(req, res, next)
  else pets(req, res, next)
})
app.enableShutdownHooks()
await app.listen(process.env.PORT ?? 8080)
