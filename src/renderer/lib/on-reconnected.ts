import { connection } from './live'

/** Calls back when the live connection returns after it was lost. Events in between were missed. */
export function onReconnected(listener: () => void): () => void {
  let wasLost = connection.getState().state === 'lost'
  return connection.subscribe(({ state }) => {
    if (state === 'online' && wasLost) listener()
    if (state !== 'connecting') wasLost = state === 'lost'
  })
}
