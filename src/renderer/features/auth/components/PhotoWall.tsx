// Pictures of the demo community, made small for this wall by `npm run demo`.
const PICTURES = Object.entries(
  import.meta.glob<string>('../wall/*.webp', { eager: true, import: 'default', query: '?url' }),
)
  .sort(([a], [b]) => a.localeCompare(b))
  .map(([, url]) => url)

const COLUMNS = [0, 1, 2].map((column) => PICTURES.filter((_, index) => index % 3 === column))

/** A slanted wall of photographs; decoration only. */
export function PhotoWall() {
  return (
    <div aria-hidden="true" className="sticky top-0 h-dvh overflow-hidden bg-sunk max-lg:hidden">
      <div className="grid -rotate-4 scale-118 grid-cols-3 content-start gap-2.5 p-2.5">
        {COLUMNS.map((column, index) => (
          <div
            key={column[0] ?? index}
            className={`grid content-start gap-2.5 ${index === 1 ? '-mt-22' : index === 2 ? '-mt-9' : ''}`}
          >
            {column.map((url) => (
              <img key={url} src={url} alt="" draggable={false} className="block w-full rounded-md" />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
