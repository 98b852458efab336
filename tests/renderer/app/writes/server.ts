import { vi } from 'vitest'
import type { Comment } from '#/renderer/features/post/comments/queries'
import type { Post } from '#/renderer/features/post/queries'
import type { Story } from '#/renderer/features/stories/queries'

/** The server and the other features, as tests of writes replace them, each with `vi.mock`. */
export const server = {
  /** What becomes of every write. */
  write: async (): Promise<unknown> => null,
  /** Writes that wait. */
  held: 0,
}

const WRITES = new Set<unknown>(['insert', 'upsert', 'update', 'delete', 'rpc', 'updateUser'])

interface Request {
  isWrite: boolean
}

/** Takes every call that makes a request of supabase-js, and knows only whether it writes. */
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
  // Reads return nothing, so the server cannot restore the screen after a failure.
  unwrap: ({ isWrite }: Request) => (isWrite ? server.write() : Promise.resolve(null)),
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
  isSignedOut: () => false,
}

export const messagesModule = {
  forgetUnsent: vi.fn(async (): Promise<void> => undefined),
}

export const serverInfoModule = {
  useServerInfo: Object.assign(() => 'embedded', {
    getState: () => ({ server: { storageKey: 'embedded' } }),
  }),
}

/** Holds every write until the function it gives is called; then all fail. */
export function hold(failure: Error): () => void {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  server.held = 0
  server.write = async () => {
    server.held += 1
    await released
    throw failure
  }
  return release
}

/** Lets what has its answer go on to its end. */
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
  photos: [],
  my_like: [],
  my_save: [],
} as unknown as Post

export const STORY = { id: 's', user_id: 'ada', isSeen: false, author: { username: 'ada' } } as Story

export const PICTURE = {
  kind: 'image',
  dataUrl: 'data:,',
  thumbnailUrl: 'data:,',
  width: 1,
  height: 1,
} as const
