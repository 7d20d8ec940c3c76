import { createPetClient } from 'pet-adoption-service/client'

/** Fills a list with the animals that can be adopted, until the user leaves the page. */
export async function showAnimals(list: HTMLElement, baseUrl: string, apiKey: string): Promise<void> {
  const leaving = new AbortController()
  addEventListener('pagehide', () => leaving.abort())
  const pets = createPetClient({ baseUrl, apiKey, pace: true })
  for await (const { id, name } of pets.list({ status: 'available' }, { signal: leaving.signal })) {
    const item = document.createElement('li')
    item.textContent = `${name} (${id})`
    list.append(item)
  }
}
