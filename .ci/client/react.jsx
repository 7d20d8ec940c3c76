import { createPetClient, toJson } from 'pet-adoption-service/client'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** Lists animals. In strict mode, React runs the effect twice and aborts the first list. */
function Animals({ pets }) {
  const [animals, setAnimals] = useState([])
  useEffect(() => {
    const leaving = new AbortController()
    const list = pets.list({ limit: 5 }, { signal: leaving.signal })
    list.page().then(
      ({ pets }) => setAnimals(pets),
      (error) => leaving.signal.aborted || setAnimals([{ error: String(error) }]),
    )
    return () => leaving.abort()
  }, [pets])
  return <p>{toJson(animals)}</p>
}

globalThis.show = (options) => {
  const pets = createPetClient(options)
  createRoot(document.body).render(
    <StrictMode>
      <Animals pets={pets} />
    </StrictMode>,
  )
}
