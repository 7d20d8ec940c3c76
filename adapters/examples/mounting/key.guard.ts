import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common'
import { requireKey } from 'pet-adoption-service/node'
import { service } from './pets.js'

const authenticate = requireKey(service)

@Injectable()
export class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp()
    return authenticate(http.getRequest(), http.getResponse())
  }
}
