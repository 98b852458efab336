/** A part of something scarce. */
export interface Part {
  /** Gives it back. Idempotent. */
  free(): void
  /** Counts it for this caller from now on. */
  countFor(caller: string): void
}

/**
 * Something scarce that callers use: connections or memory. When it is full, the caller who uses most of it loses the oldest part, so
 * that nobody can keep others from it.
 */
export interface Pool {
  /** Takes an amount. A single one may exceed the total. @param lose called when the part is taken away */
  take(caller: string, amount: number, lose: () => void): Part
}

interface Taken {
  caller: string
  amount: number
  lose: () => void
}

export function createPool(total: number): Pool {
  /** Oldest first. */
  const parts = new Set<Taken>()
  let sum = 0

  const remove = (part: Taken) => {
    if (parts.delete(part)) sum -= part.amount
  }
  const oldestOfLargest = (): Taken | undefined => {
    const amounts = new Map<string, number>()
    for (const { caller, amount } of parts) amounts.set(caller, (amounts.get(caller) ?? 0) + amount)
    const largest = Math.max(...amounts.values())
    return [...parts].find(({ caller }) => amounts.get(caller) === largest)
  }

  return {
    take: (caller, amount, lose) => {
      while (sum > 0 && sum + amount > total) {
        const lost = oldestOfLargest()
        if (lost === undefined) break
        remove(lost)
        lost.lose()
      }
      const part = { caller, amount, lose }
      parts.add(part)
      sum += amount
      return {
        free: () => remove(part),
        countFor: (other) => {
          part.caller = other
        },
      }
    },
  }
}
