import { Page } from '../../parts/page.tsx'
export function FlagsScreen() {
  return <Page title="flags">…</Page>
}
