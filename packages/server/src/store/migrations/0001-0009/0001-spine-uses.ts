/**
 * Creates the function that notes when keys were used, the only write of the delivery, whose process may have no other
 * right to write. It moves times of existing keys forward. It refuses times in the future, because nothing could move
 * them back.
 */
export const usesSql = `
create function record_key_uses(p_org_ids text[], p_key_ids text[], p_moments timestamptz[])
returns void language sql security definer as $$
  insert into api_key_uses (org_id, key_id, last_used_at)
  select k.org_id, k.id, least(max(given.used_at), now())
  from unnest(p_org_ids, p_key_ids, p_moments) as given (org_id, key_id, used_at)
  join api_keys k on k.org_id = given.org_id and k.id = given.key_id
  where given.used_at is not null
  group by k.org_id, k.id
  -- In one order: two processes that write the same keys at the same moment wait for each other, and not in a circle.
  order by k.org_id, k.id
  on conflict (org_id, key_id) do update set last_used_at = excluded.last_used_at
    where api_key_uses.last_used_at < excluded.last_used_at
$$;
`
