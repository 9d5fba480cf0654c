import type { AsOwner } from './as-owner.ts'

/** Lets the service write to a channel as fast as it can: how fast a workspace may be written to is asked elsewhere. */
export async function liftChatPace({ asOwner }: AsOwner): Promise<void> {
  await asOwner(`
    create function lift_pace() returns trigger language plpgsql as $$
    begin new.spent_until = 'epoch'; new.reserved_until = 'epoch'; return new; end $$;
    create trigger lift_pace before insert or update on chat_rates for each row execute function lift_pace()`)
}
