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

/**
 * Takes away the look for a message that may have arrived, for controls: the service forgets when it first posted, so that it
 * posts again at once, under the same key.
 */
export async function forgetFirstTries({ asOwner }: AsOwner): Promise<void> {
  await asOwner(`
    create function forget_first_try() returns trigger language plpgsql as $$
    begin new.first_tried_at = null; return new; end $$;
    create trigger forget_first_try before update on notifications for each row
      when (new.first_tried_at is not null) execute function forget_first_try()`)
}
