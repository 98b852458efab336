// Pictures of the demo community, three columns of four.
const PICTURES = Object.values(
  import.meta.glob<string>(
    [
      '../../../../../resources/demo/{ridges,wetstreet,dunes}.webp',
      '../../../../../resources/demo/{pears,spiral,pool}.webp',
      '../../../../../resources/demo/{lake,arches,startrails}.webp',
      '../../../../../resources/demo/{snowtree,rainwindow,fogforest}.webp',
    ],
    { eager: true, import: 'default', query: '?url' },
  ),
)

const COLUMNS = [0, 1, 2].map((column) => PICTURES.filter((_, index) => index % 3 === column))
const OFFSETS = ['', '-mt-22', '-mt-9']

/** A slanted wall of photos. Decorative. */
export function PhotoWall() {
  return (
    <div aria-hidden="true" className="sticky top-0 h-dvh overflow-hidden bg-sunk max-md:hidden">
      <div className="grid -rotate-4 scale-118 grid-cols-3 content-start gap-2.5 p-2.5">
        {COLUMNS.map((column, index) => (
          <div key={column[0]} className={`grid content-start gap-2.5 ${OFFSETS[index]}`}>
            {column.map((url) => (
              <img key={url} src={url} alt="" draggable={false} className="block w-full rounded-md" />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
