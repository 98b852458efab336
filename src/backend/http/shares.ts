export interface SharesOptions {
  total: number
  perCaller: number
}

/** A limited resource that callers share, such as memory. */
export interface Shares {
  /** Takes an amount; null if it exceeds the total or the caller's share. */
  take(caller: string, amount?: number): Share | null
  /** The amount that is available. */
  left(): number
}

export interface Share {
  /** Releases the amount. Idempotent. */
  free(): void
}

export function createShares({ total, perCaller }: SharesOptions): Shares {
  const taken = new Map<string, number>()
  let sum = 0

  const add = (caller: string, amount: number) => {
    sum += amount
    const own = (taken.get(caller) ?? 0) + amount
    if (own > 0) taken.set(caller, own)
    else taken.delete(caller)
  }

  return {
    left: () => total - sum,
    take: (caller, amount = 1) => {
      if (sum + amount > total || (taken.get(caller) ?? 0) + amount > perCaller) return null
      add(caller, amount)
      let isTaken = true
      return {
        free: () => {
          if (isTaken) add(caller, -amount)
          isTaken = false
        },
      }
    },
  }
}
