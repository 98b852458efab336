import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { type LargePhotos, makeLargePhotos } from '../fixtures/photos'
import { ContextPool } from './contexts'
import { createMember, type Member, plantSession } from './member'
import { Problems } from './problems'
import { type Community, startTestServer, startWorkerServer, type TestServer } from './server'

interface WorkerFixtures {
  /** The content of the worker's server: `test.use({ community: 'demo' })` selects the demo community. */
  community: Community
  /** The worker's server. All tests of the worker share it: create your own members, and count only your own rows. */
  server: TestServer
  /** Browser contexts of the worker, on the worker's server. */
  contexts: ContextPool
  /** Defined for all tests: files with additional worker fixtures would run in separate workers, with separate servers. */
  largePhotos: LargePhotos
}

interface TestFixtures {
  /** A fresh member, signed in on `page`. */
  member: Member
  /** Another fresh member. */
  other: Member
  /** Creates another fresh member. */
  newMember: (wanted?: Parameters<typeof createMember>[1]) => Promise<Member>
  /**
   * Opens a page in a separate browser context, signed in as this member, on the member's server; without a member,
   * signed out on the worker's server.
   */
  openAs: (member: Member | null) => Promise<Page>
  /** A separate server for this test, to stop, kill and restart; use absolute addresses with `ownServer.url`. */
  ownServer: TestServer
  /** Errors of the page; see `Problems`. */
  problems: Problems
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  community: ['empty', { option: true, scope: 'worker' }],

  server: [
    async ({ community }, use) => {
      const server = await startWorkerServer(community)
      await use(server)
      const notServed = server.takeNotServed()
      await server.dispose()
      expect(notServed, 'requests that src/backend/rest does not know').toEqual([])
    },
    { scope: 'worker', timeout: 240_000 },
  ],

  contexts: [
    async ({ browser, server }, use) => {
      const contexts = new ContextPool(browser, server.url)
      await use(contexts)
      await contexts.close()
    },
    { scope: 'worker' },
  ],

  largePhotos: [
    async ({ browser }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'vignette-photos-'))
      await use(await makeLargePhotos(browser, folder))
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  context: async ({ contexts }, use) => {
    const context = await contexts.take()
    await use(context)
    await contexts.giveBack(context)
  },

  page: async ({ context }, use) => {
    await use(await context.newPage())
  },

  baseURL: async ({ server }, use) => {
    await use(server.url)
  },

  newMember: async ({ server }, use) => {
    await use((wanted) => createMember(server.info, wanted))
  },

  member: async ({ context, contexts, newMember }, use) => {
    const member = await newMember()
    await contexts.store(context, member.storage)
    await use(member)
  },

  other: async ({ newMember }, use) => {
    await use(await newMember())
  },

  openAs: async ({ browser, contexts, problems, server }, use) => {
    const pooled: BrowserContext[] = []
    const others: BrowserContext[] = []
    await use(async (member) => {
      if (member !== null && member.origin !== server.info.url) {
        const context = await browser.newContext({ baseURL: member.origin })
        others.push(context)
        problems.watch(context)
        await plantSession(context, member.origin, member)
        return context.newPage()
      }
      const context = await contexts.take()
      pooled.push(context)
      problems.watch(context)
      if (member !== null) await contexts.store(context, member.storage)
      return context.newPage()
    })
    await problems.arrived()
    for (const context of pooled) await contexts.giveBack(context)
    for (const context of others) await context.close()
  },

  ownServer: [
    async ({ community, problems }, use) => {
      const server = await startTestServer(community)
      problems.watchServer(server)
      await use(server)
      problems.stop()
      await server.dispose()
    },
    { timeout: 240_000 },
  ],

  problems: [
    async ({ context, server }, use) => {
      const problems = new Problems()
      problems.watch(context)
      problems.watchServer(server)
      await use(problems)
      await problems.arrived()
      problems.unwatch()
      expect(problems.verdict(), 'errors of the page').toEqual([])
    },
    { auto: true },
  ],
})

export type { Member }
export { expect }
