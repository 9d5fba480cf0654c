import type { AsOwner } from './as-owner.ts'

/**
 * Takes away the defence against double messages, for controls: each time a message is begun it gets another key, so the chat
 * cannot tell that the second post of it is the first one again.
 */
export async function renewMessageKeys({ asOwner }: AsOwner): Promise<void> {
  await asOwner(`
    create function renew_key() returns trigger language plpgsql as $$
    begin new.generation = old.generation + 1; return new; end $$;
    create trigger renew_key before update on notifications for each row
      when (new.state = 'sending' and new.message_id is null) execute function renew_key()`)
}
