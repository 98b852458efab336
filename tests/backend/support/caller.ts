import type { Caller } from '#/backend/access/caller'

/** A caller who is alone, so that each turn is theirs. */
export const callerOf = (parts: Partial<Omit<Caller, 'parseInTurn'>> = {}): Caller => ({
  member: null,
  isGone: () => false,
  disconnect: () => undefined,
  parseInTurn: async (work) => work(),
  ...parts,
})
