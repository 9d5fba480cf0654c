import type { Tx } from '../../store/store.ts'

/** Stores a public key that access tokens are verified with. One that is known, also as retired, is in use again. */
export async function recordSigningKey(
  tx: Tx,
  { id, publicJwk }: { readonly id: string; readonly publicJwk: object },
): Promise<void> {
  await tx.query({
    name: 'record-signing-key',
    text: `insert into signing_keys (id, public_jwk) values ($1, $2)
      on conflict (id) do update set retired_at = null where signing_keys.retired_at is not null`,
    values: [id, JSON.stringify(publicJwk)],
  })
}

/** Retires every public key but one. Their tokens end within 15 minutes, and they are forgotten then. */
export async function retireOtherSigningKeys(tx: Tx, id: string, retiredAt: Date): Promise<void> {
  await tx.query({
    name: 'retire-other-signing-keys',
    text: 'update signing_keys set retired_at = $2 where id <> $1 and retired_at is null',
    values: [id, retiredAt],
  })
}
