import { texts } from '#/renderer/lib/texts'

/** /messages: its frame, with nothing selected. */
export function MessagesScreen() {
  return (
    <main id="content" className="mx-auto max-w-250 px-4 py-7">
      <div className="grid h-150 overflow-hidden rounded-lg border border-line bg-raised shadow-card md:grid-cols-[330px_1fr]">
        <aside className="border-line max-md:border-b md:border-e">
          <h1 className="flex h-15 items-center px-4.5 font-semibold text-[18px]">{texts.messages.title}</h1>
        </aside>
        <section className="grid place-items-center p-6 text-center">
          <div>
            <h2 className="font-display text-[24px]">{texts.messages.emptyTitle}</h2>
            <p className="mt-1.5 text-quiet">{texts.messages.emptyBody}</p>
          </div>
        </section>
      </div>
    </main>
  )
}
