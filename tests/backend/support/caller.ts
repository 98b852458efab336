import type { Caller } from '#/backend/access/caller'

/** A caller who is alone, so that each turn is theirs. */
export const callerOf = (parts: Partial<Omit<Caller, 'inTurn'>> = {}): Caller => ({
  member: null,
  isGone: () => false,
  disconnect: () => undefined,
  inTurn: async (work) => work(),
  ...parts,
})
