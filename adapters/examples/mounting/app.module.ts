import type { IncomingMessage } from 'node:http'
import { Controller, Get, Module, Req } from '@nestjs/common'
import { callerOf } from 'pet-adoption-service/node'

@Controller()
class ShelterController {
  @Get()
  page(): string {
    return 'The shelter is open.'
  }

  @Get('v1/store/orders')
  orders(@Req() request: IncomingMessage): object[] {
    return [{ id: 1, by: callerOf(request).id }]
  }
}

@Module({ controllers: [ShelterController] })
export class AppModule {}
