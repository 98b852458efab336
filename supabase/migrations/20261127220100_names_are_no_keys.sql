-- A change of a column that a foreign key could refer to holds its row as a deletion does: all that refers to the row waits. So a slow
-- change of the own username or picture kept others from blocking, reporting and unfollowing that member, for as long as requests
-- followed each other. Foreign keys refer to profiles by their ids only, and cannot refer to the columns of a partial index.

alter table public.profiles drop constraint profiles_username_key;
create unique index profiles_username_key on public.profiles (username) where username is not null;
alter table public.profiles drop constraint profiles_avatar_path_key;
create unique index profiles_avatar_path_key on public.profiles (avatar_path) where avatar_path is not null;
