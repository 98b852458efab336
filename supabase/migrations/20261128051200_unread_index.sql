-- Nothing looks for unread messages of a recipient any more: marks say where they begin (0106). `read` is in no index now, so marking a message as read updates it in place.
drop index public.messages_recipient_idx;
