import { vi } from 'vitest'
import type { Comment } from '#/renderer/features/post/comments/queries'
import type { Post } from '#/renderer/features/post/queries'
import type { Story } from '#/renderer/features/stories/queries'
import { gate } from '#tests/gate'

/** Mocks of the server and of other features for tests of writes. */
export const server = {
  /** How every write ends. */
  write: async (): Promise<unknown> => null,
  /** How every read ends: with nothing, so that the server cannot restore the screen after a failure. */
  read: async (): Promise<unknown> => null,
  /** Writes that wait. */
  held: 0,
}

const WRITES = new Set<unknown>(['insert', 'upsert', 'update', 'delete', 'rpc', 'updateUser'])

interface Request {
  isWrite: boolean
}

/** A fake of the supabase-js query builder that accepts every call, and only knows whether it writes. */
function request(isWrite: boolean): Request {
  return new Proxy(
    { isWrite },
    {
      get: (target, name) => {
        if (name === 'isWrite') return target.isWrite
        if (name === 'auth') return request(isWrite)
        return name === 'then' ? undefined : () => request(isWrite || WRITES.has(name))
      },
    },
  )
}

export const supabaseModule = {
  supabase: () => request(false),
  unwrap: ({ isWrite }: Request) => (isWrite ? server.write() : server.read()),
  forgetSession: vi.fn(async (): Promise<void> => undefined),
}

export const authModule = {
  useMe: () => ({
    id: 'me',
    email: 'me@example.com',
    profile: { username: 'me', avatar_url: null, avatar_path: null, is_private: false },
  }),
  refreshProfile: vi.fn(async (_saved: object): Promise<void> => undefined),
  signOut: vi.fn(async (): Promise<void> => undefined),
  whileEnding: <T>(work: () => Promise<T>) => work(),
}

export const messagesModule = {
  forgetUnsent: vi.fn(async (): Promise<void> => undefined),
}

export const serverInfoModule = {
  useServerInfo: Object.assign(() => 'embedded', {
    getState: () => ({ server: { kind: 'embedded', storageKey: 'embedded' } }),
  }),
}

/** Holds all writes; calling the returned function makes them fail. */
export function hold(failure: Error): () => void {
  const { opened: released, open: release } = gate()
  server.held = 0
  server.write = async () => {
    server.held += 1
    await released
    throw failure
  }
  return release
}

/** Waits until all callbacks of completed requests have run. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0))
  await new Promise((resolve) => setTimeout(resolve, 0))
}

export const ada = {
  id: 'ada',
  username: 'ada',
  full_name: 'Ada',
  avatar_url: null,
  avatar_path: null,
  is_private: false,
}

export const COMMENT = {
  id: 'c',
  post_id: 'p',
  parent_id: null,
  like_count: 0,
  my_like: [],
} as unknown as Comment

export const POST = {
  id: 'p',
  user_id: 'me',
  content: 'First light',
  like_count: 3,
  comment_count: 1,
  media: [],
  my_like: [],
  my_save: [],
} as unknown as Post

export const STORY = { id: 's', user_id: 'ada', isSeen: false, author: { username: 'ada' } } as Story

export const PICTURE = {
  kind: 'image',
  full: new Blob(['full']),
  feed: new Blob(['feed']),
  grid: new Blob(['grid']),
  thumbhash: 'aA==',
  width: 1,
  height: 1,
} as const
