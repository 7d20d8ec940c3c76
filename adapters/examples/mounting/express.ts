import express from 'express'
import { callerOf, createPetServer, requireKey } from 'pet-adoption-service/node'
import { service } from './pets.js'

const app = express()
app.get('/orders', requireKey(service), (req, res) => {
  res.json([{ id: 1, by: callerOf(req).id }])
})
app.get('/', (_req, res) => {
  res.send('The shelter is open.')
})

createPetServer(service, { fallback: app }).listen(process.env.PORT ?? 8080)
