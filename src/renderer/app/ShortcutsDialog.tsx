import { Dialog } from '#/renderer/components/Dialog'
import { texts } from '#/renderer/lib/texts'

/** Separates the keys of a shortcut: `/` for alternatives, a space for a combination or sequence. */
const BETWEEN_KEYS = /( \/ | )/

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.shortcuts.title} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2.5 text-[14px]">
        {texts.shortcuts.list.map(([keys, what]) => (
          <div key={what} className="contents">
            <dt className="flex items-center gap-1 text-quiet">
              {keys
                .split(BETWEEN_KEYS)
                .map((part) => (BETWEEN_KEYS.test(part) ? part : <Key key={part} name={part} />))}
            </dt>
            <dd className="text-quiet">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

function Key({ name }: { name: string }) {
  return (
    <kbd className="min-w-6 rounded-sm border border-line border-b-edge bg-sunk px-1.5 py-0.5 text-center font-medium font-sans text-[12.5px] text-ink">
      {name}
    </kbd>
  )
}
