import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openDatabase } from '#/backend/database/connection'
import type { Member } from './member'
import { png } from './png'
import type { TestServer } from './server'

export type GroupState = 'in' | 'invited' | 'left' | 'removed'

/** Members cannot make groups yet: in this server the bio `group ID NAME` makes one, `picture ID PATH` gives it a picture, and `ID STATE` its writer a state in it. */
const SQL = `
  create function private.make_test_groups() returns trigger language plpgsql security definer set search_path = '' as $$
  declare
    words constant text[] := string_to_array(new.bio, ' ');
  begin
    if words[1] = 'group' then
      insert into public.conversations (id, kind, name) values (words[2]::uuid, 'group', array_to_string(words[3:], ' '));
    elsif words[1] = 'picture' then
      update public.conversations set picture_path = words[3], pictured_by = new.id where id = words[2]::uuid;
    else
      insert into public.conversation_members as m (conversation_id, member_id, role, state, joined_at, left_at)
        values (words[1]::uuid, new.id, 'member', words[2], case when words[2] <> 'invited' then now() end,
          case when words[2] in ('left', 'removed') then now() end)
        on conflict (conversation_id, member_id) do update
          set state = excluded.state, joined_at = coalesce(m.joined_at, excluded.joined_at), left_at = excluded.left_at;
    end if;
    return null;
  end
  $$;
  create trigger make_test_groups after update of bio on public.profiles for each row execute function private.make_test_groups();`

/** Side of a picture in pixels. */
const SIDE = 64

export interface Groups {
  /** Makes a group of these members, in the name of the first one. Returns its id. */
  make(name: string, ...members: Member[]): Promise<string>
  /** Gives a group a picture of this member. */
  picture(group: string, member: Member): Promise<void>
  /** Gives a member a state in a group, as its owner would. */
  put(group: string, member: Member, state: GroupState): Promise<void>
}

/** Restarts a server as one that can make groups. */
export async function startGroups(server: TestServer): Promise<Groups> {
  await server.stop()
  const { driver } = await openDatabase(join(server.dataFolder, 'postgres'))
  await driver.exec(SQL)
  await driver.close()
  await server.restart()
  const setBio = async (member: Member, bio: string) => {
    await member.api.from('profiles').update({ bio }).eq('id', member.id).throwOnError()
  }
  const put = (group: string, member: Member, state: GroupState) => setBio(member, `${group} ${state}`)
  return {
    put,
    picture: async (group, member) => {
      const path = `${member.id}/${randomUUID()}.png`
      const file = png(SIDE, SIDE, (x, y) => [x * 4, y * 4, 120])
      const { error } = await member.api.storage
        .from('media')
        .upload(path, file, { contentType: 'image/png' })
      if (error) throw error
      await setBio(member, `picture ${group} ${path}`)
    },
    make: async (name, ...members) => {
      const id = randomUUID()
      const [first] = members
      if (first === undefined) throw new Error('a group has members')
      await setBio(first, `group ${id} ${name}`)
      for (const member of members) await put(id, member, 'in')
      return id
    },
  }
}
