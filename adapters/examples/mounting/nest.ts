import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { createPetServer } from 'pet-adoption-service/node'
import { AppModule } from './app.module.js'
import { service } from './pets.js'

class PetAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    this.httpServer = createPetServer(service, { fallback: this.getInstance() })
  }
}

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(AppModule, new PetAdapter())
  app.enableShutdownHooks()
  await app.listen(process.env.PORT ?? 8080)
}
void bootstrap()
