import { connection } from './live'

/** Calls back when the live connection is back after it was lost: events of the time between were missed. */
export function onReconnected(listener: () => void): () => void {
  let wasLost = connection.getState().state === 'lost'
  return connection.subscribe(({ state }) => {
    if (state === 'online' && wasLost) listener()
    if (state !== 'connecting') wasLost = state === 'lost'
  })
}
