import { Controller, Get, Module } from '@nestjs/common'

@Controller()
class ShelterController {
  @Get()
  page(): string {
    return 'The shelter is open.'
  }
}

@Module({ controllers: [ShelterController] })
export class AppModule {}
