import 'reflect-metadata'
import { createServer } from 'node:http'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { createKeyStore, createPetService, sha256 } from 'pet-adoption-service'
import { createNodeHandler, hardenServer, serverOptions } from 'pet-adoption-service/node'
import { AppModule } from './app.module.ts'

const keys = createKeyStore([{ id: 'shelter', sha256: sha256('my-first-long-api-key'), plan: 'pro' }])
const service = createPetService({ keys })

class HardenedAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    this.httpServer = createServer(serverOptions, this.getInstance())
    hardenServer(this.httpServer, service)
  }
}

const app = await NestFactory.create(AppModule, new HardenedAdapter())
app.use(createNodeHandler(service)) // before listen(), which adds the body parsers
app.enableShutdownHooks()
await app.listen(process.env.PORT ?? 8080)
