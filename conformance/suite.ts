/** Which suite judged, in reports: its version is the package's, the interface's that of section 9. */
export const suite: { readonly name: string; readonly version: string; readonly interface: string } = {
  name: 'pet-adoption-conformance',
  version: '1.0.0',
  interface: '1.0.0',
}
