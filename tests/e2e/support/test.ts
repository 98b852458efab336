import { test as base, expect, type Page } from '@playwright/test'
import { createMember, type Member, plantSession } from './member'
import { Problems } from './problems'
import { type Community, startTestServer, type TestServer } from './server'

interface WorkerFixtures {
  /** What the worker's server begins with: `test.use({ community: 'demo' })` asks for the demo community. */
  community: Community
  /** The worker's server. Its members are shared by all tests of the worker: make your own, count only your own. */
  server: TestServer
}

interface TestFixtures {
  /** A fresh member, signed in on `page`. */
  member: Member
  /** Another fresh member. */
  other: Member
  /** Makes another fresh member. */
  newMember: (wanted?: Parameters<typeof createMember>[1]) => Promise<Member>
  /**
   * Opens a page in a browser context of its own, signed in as this member, on the member's server; without a member,
   * signed out on the worker's server.
   */
  openAs: (member: Member | null) => Promise<Page>
  /** A server for this test alone, to stop, kill and restart; the page's addresses must name it: `ownServer.url`. */
  ownServer: TestServer
  /** Errors of the page; see `Problems`. */
  problems: Problems
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  community: ['empty', { option: true, scope: 'worker' }],

  server: [
    async ({ community }, use) => {
      const server = await startTestServer(community)
      await use(server)
      await server.dispose()
    },
    { scope: 'worker', timeout: 240_000 },
  ],

  baseURL: async ({ server }, use) => {
    await use(server.url)
  },

  newMember: async ({ server }, use) => {
    await use((wanted) => createMember(server.info, wanted))
  },

  member: async ({ context, newMember, server }, use) => {
    const member = await newMember()
    await plantSession(context, server.url, member)
    await use(member)
  },

  other: async ({ newMember }, use) => {
    await use(await newMember())
  },

  openAs: async ({ browser, problems, server }, use) => {
    const contexts: { close: () => Promise<void> }[] = []
    await use(async (member) => {
      const context = await browser.newContext({ baseURL: member?.origin ?? server.url })
      contexts.push(context)
      problems.watch(context)
      if (member !== null) await plantSession(context, member.origin, member)
      return context.newPage()
    })
    await problems.arrived()
    for (const context of contexts) await context.close()
  },

  ownServer: [
    async ({ community, problems }, use) => {
      const server = await startTestServer(community)
      await use(server)
      problems.stop()
      await server.dispose()
    },
    { timeout: 240_000 },
  ],

  problems: [
    async ({ context }, use) => {
      const problems = new Problems()
      problems.watch(context)
      await use(problems)
      await problems.arrived()
      expect(problems.verdict(), 'errors of the page').toEqual([])
    },
    { auto: true },
  ],
})

export type { Member }
export { expect }
