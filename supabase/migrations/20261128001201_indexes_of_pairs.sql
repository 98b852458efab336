-- Groups have no participants (20261128001200), and would fill the indexes of pairs.

drop index public.conversations_participant_1_idx;
create index conversations_participant_1_idx on public.conversations (participant_1) where participant_1 is not null;
drop index public.conversations_participant_2_idx;
create index conversations_participant_2_idx on public.conversations (participant_2) where participant_2 is not null;
