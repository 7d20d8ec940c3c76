import { toNextHandlers } from 'pet-adoption-service/next'
import { clientAddress } from '@/client-address'
import { service } from '@/pets'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(service, { clientAddress })
