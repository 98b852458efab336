import { callerOf, isLoopbackAddress } from './network-address'

export interface SharesOptions {
  total: number
  /** Of one caller from elsewhere; this machine may have all. */
  perCaller: number
}

/** What there is only so much of, such as connections. */
export interface Shares {
  /** Takes some for a caller at this network address; null when there is not enough left, for them or at all. */
  take(address: string, amount?: number): Share | null
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
    take: (address, amount = 1) => {
      const caller = callerOf(address)
      const ownMax = isLoopbackAddress(address) ? total : perCaller
      if (sum + amount > total || (taken.get(caller) ?? 0) + amount > ownMax) return null
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
