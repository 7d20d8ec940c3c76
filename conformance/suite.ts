/** The suite, for reports: its version is that of the package; the version of the interface is that of section 9. */
export const suite: { readonly name: string; readonly version: string; readonly interface: string } = {
  name: 'pet-adoption-conformance',
  version: '1.0.0',
  interface: '1.0.0',
}
