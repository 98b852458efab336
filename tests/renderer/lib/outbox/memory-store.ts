import type { OutboxRow } from '#/renderer/lib/outbox/row'

const kept = new Map<string, OutboxRow>()

/** Replaces `lib/outbox/store` with a store in memory, with `vi.mock`. */
export const storeModule = {
  indexedDbStore: () => ({
    load: async () => [...kept.values()],
    save: async (row: OutboxRow) => void kept.set(row.id, row),
    remove: async (id: string) => void kept.delete(id),
    clear: async () => kept.clear(),
  }),
}

export function clearMemoryStore(): void {
  kept.clear()
}
