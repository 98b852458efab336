/** A part of something scarce. */
export interface Part {
  /** Whom it counts for; may change. */
  caller: string
  readonly amount: number
  /** Those of a lower rank go first. 0 when left out. */
  readonly rank?: number
  /** Called when it is taken away. */
  lose(): void
}

/**
 * Something scarce that callers use: connections or memory. When it is full, the caller who uses most of it loses the oldest part, so
 * that nobody can keep others from it.
 */
export interface Pool {
  /** Adds a part, and takes others away until there is room. A single one may exceed the total. */
  take(part: Part): void
  /** Gives a part back. Idempotent. */
  free(part: Part): void
}

export interface PoolSize {
  total: number
  /** Each caller has so much alone: others cannot use it up. Nothing when left out. */
  own?: number
  /** What all callers together have besides; the total when left out. */
  shared?: number
}

export function createPool({ total, own = 0, shared = total }: PoolSize): Pool {
  /** Oldest first. */
  const parts = new Set<Part>()

  const isFull = (next: Part): boolean => {
    const amounts = [...amountsOf([...parts, next]).values()]
    return sum(amounts) > total || sum(amounts.map((amount) => Math.max(0, amount - own))) > shared
  }
  const leastMissed = (): Part | undefined => {
    const amounts = amountsOf(parts)
    const most = Math.max(...amounts.values())
    // While no caller exceeds `own`, the part of the lowest rank goes first, of any caller.
    const considered = [...parts].filter(({ caller }) => most <= own || amounts.get(caller) === most)
    const lowest = Math.min(...considered.map(({ rank = 0 }) => rank))
    const ofLowest = considered.filter(({ rank = 0 }) => rank === lowest)
    const largest = Math.max(...ofLowest.map(({ caller }) => amounts.get(caller) ?? 0))
    return ofLowest.find(({ caller }) => amounts.get(caller) === largest)
  }

  return {
    take: (part) => {
      for (;;) {
        const lost = isFull(part) ? leastMissed() : undefined
        if (lost === undefined) break
        parts.delete(lost)
        lost.lose()
      }
      parts.add(part)
    },
    free: (part) => void parts.delete(part),
  }
}

function amountsOf(parts: Iterable<Part>): Map<string, number> {
  const amounts = new Map<string, number>()
  for (const { caller, amount } of parts) amounts.set(caller, (amounts.get(caller) ?? 0) + amount)
  return amounts
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((before, amount) => before + amount, 0)
}
