export function byId<R extends { id: string }>(rows: readonly R[]): Map<string, R> {
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Collects the keys requested within one turn of the event loop and loads them in calls of at most `size` keys (as
 * DataLoader does). Keys missing from the result resolve to null.
 */
export function createBatchLoader<V>(
  load: (keys: string[]) => Promise<Map<string, V>>,
  size: number,
): (key: string) => Promise<V | null> {
  interface Waiting {
    resolve: (value: V | null) => void
    reject: (cause: unknown) => void
  }
  let waiting = new Map<string, Waiting[]>()

  const run = async (batch: Array<[string, Waiting[]]>) => {
    try {
      const values = await load(batch.map(([key]) => key))
      for (const [key, callers] of batch) for (const { resolve } of callers) resolve(values.get(key) ?? null)
    } catch (cause) {
      for (const [, callers] of batch) for (const { reject } of callers) reject(cause)
    }
  }

  const flush = () => {
    const all = [...waiting]
    waiting = new Map()
    for (let start = 0; start < all.length; start += size) void run(all.slice(start, start + size))
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setTimeout(flush, 0)
      const callers = waiting.get(key)
      if (callers === undefined) waiting.set(key, [{ resolve, reject }])
      else callers.push({ resolve, reject })
    })
}
