export interface SharesOptions {
  total: number
  perCaller: number
}

/** What there is only so much of, such as connections. */
export interface Shares {
  /** Takes some for a caller; null when there is not enough left, for them or at all. */
  take(caller: string, amount?: number): Share | null
  /** How much nobody has taken. */
  left(): number
}

export interface Share {
  /** Gives it back; once is enough. */
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
