import { toJson } from 'pet-adoption-service/client'
import { pets } from '../pets.js'

export const dynamic = 'force-dynamic'

// biome-ignore lint/style/noDefaultExport: Next.js finds the page by it
export default async function Page() {
  const { pets: animals } = await pets.list({ limit: 5 }).page()
  return <p>{toJson(animals)}</p>
}
