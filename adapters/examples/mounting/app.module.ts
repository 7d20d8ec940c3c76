import type { IncomingMessage } from 'node:http'
import { Controller, Get, Module, Req, UseGuards } from '@nestjs/common'
import { callerOf } from 'pet-adoption-service/node'
import { KeyGuard } from './key.guard.js'

@Controller()
class ShelterController {
  @Get()
  page(): string {
    return 'The shelter is open.'
  }

  @Get('orders')
  @UseGuards(KeyGuard)
  orders(@Req() request: IncomingMessage): object[] {
    return [{ id: 1, by: callerOf(request).id }]
  }
}

@Module({ controllers: [ShelterController] })
export class AppModule {}
