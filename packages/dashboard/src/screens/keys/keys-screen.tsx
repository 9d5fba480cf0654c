import { Page } from '../../parts/page.tsx'
export function KeysScreen() {
  return <Page title="keys">…</Page>
}
