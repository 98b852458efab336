import { actAs } from '#/backend/access/act-as'
import { databaseErrorFields } from '#/backend/database/database-error'
import type { Session, Transaction } from '#/backend/database/queries'
import type { Dimensions } from '#/shared/media-formats'
import type { LinkReader } from './link-tokens'
import { BUCKET, type ObjectKey } from './object-key'
import { objectMetadata } from './object-metadata'
import { REFUSALS } from './storage-error'

export interface ObjectRow {
  id: string
  name: string
  etag: string
  /** Whether the content was checked and passed. */
  checked: boolean
}

export interface NewObject {
  id: string
  key: ObjectKey
  /** In bytes. */
  size: number
  /** The size of a picture; null for a video. */
  picture: Dimensions | null
}

export interface ListOptions {
  limit: number
  offset: number
  column: 'name' | 'created_at' | 'updated_at'
  order: 'asc' | 'desc'
}

/** Rows of storage.objects, read and written with the rights of a member; only inside `exclusive`. */
export interface ObjectRows {
  /** The rows with these names that the reader may see. One query. */
  visible(reader: LinkReader, names: readonly string[]): Promise<ObjectRow[]>
  /** Throws a StorageError if the member has uploaded too much that no row refers to. */
  checkRoom(member: LinkReader, key: string, bytes: number): Promise<void>
  /** Throws a StorageError if the member may not upload this. */
  insert(member: LinkReader, object: NewObject): Promise<void>
  /** Deletes the rows with these names that the member may delete. */
  remove(member: LinkReader, names: readonly string[]): Promise<Record<string, unknown>[]>
  /** The objects in the member's folder. */
  list(member: LinkReader, options: ListOptions): Promise<Record<string, unknown>[]>
}

const VISIBLE_SQL = `
  select id, name, metadata ->> 'eTag' as etag, coalesce((metadata ->> 'checked')::boolean, false) as checked
  from storage.objects
  where bucket_id = $3 and name = any (array(select storage.visible_keys($1, $2, $4)))`

const COLUMNS = 'name, bucket_id, owner_id, id, created_at, updated_at, metadata'

export function createObjectRows(pg: Session): ObjectRows {
  const asMember = <T>({ member, session }: LinkReader, work: (tx: Transaction) => Promise<T>) =>
    pg.transaction(async (tx) => {
      await actAs(tx, { role: 'authenticated', sub: member, session_id: session })
      return work(tx)
    })

  const checkRoom = (member: LinkReader, key: string, bytes: number) =>
    asMember(member, async (tx) => {
      const sql = 'select private.has_upload_room($1, $2) as has_room'
      const { rows } = await tx.query<{ has_room: boolean }>(sql, [key, bytes])
      if (rows[0]?.has_room !== true) throw REFUSALS.tooManyUploads()
    })

  return {
    visible: async ({ member, session }, names) => {
      return (await pg.query<ObjectRow>(VISIBLE_SQL, [member, session, BUCKET, names])).rows
    },
    checkRoom,
    insert: (member, { id, key, size, picture }) =>
      asMember(member, (tx) =>
        tx.query(
          'insert into storage.objects (id, bucket_id, name, owner_id, metadata) values ($1, $2, $3, $4, $5)',
          [id, BUCKET, key.name, member.member, objectMetadata({ id, size }, key, picture)],
        ),
      ).then(
        () => undefined,
        async (error: unknown) => {
          const code = databaseErrorFields(error)?.code
          // The policy refuses a row beyond the quota as it refuses any other.
          if (code === '42501') await checkRoom(member, key.name, size)
          throw refusalOf(code) ?? error
        },
      ),
    remove: (member, names) =>
      asMember(member, async (tx) => {
        const { rows } = await tx.query(
          `delete from storage.objects where bucket_id = $1 and name = any ($2) returning ${COLUMNS}`,
          [BUCKET, names],
        )
        return rows
      }),
    list: (member, { limit, offset, column, order }) =>
      asMember(member, async (tx) => {
        const folder = `${member.member}/`
        const { rows } = await tx.query<{ name: string }>(
          `select ${COLUMNS} from storage.objects
            where bucket_id = $1 and name collate "C" >= $2 and name collate "C" < $3
            order by ${column} ${order}, id limit $4 offset $5`,
          // '0' follows '/'.
          [BUCKET, folder, `${member.member}0`, limit, offset],
        )
        return rows.map((row) => ({ ...row, name: row.name.slice(folder.length) }))
      }),
  }
}

/** The refusal for an error of the database; null for an error of the server. */
function refusalOf(code: string | undefined) {
  if (code === '23505') return REFUSALS.duplicate()
  if (code === '42501') return REFUSALS.forbidden()
  return code === 'PT429' ? REFUSALS.tooManyUploads() : null
}
