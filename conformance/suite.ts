/** The suite's name and version, and the interface's version (section 9), for reports. */
export const suite: { readonly name: string; readonly version: string; readonly interface: string } = {
  name: 'pet-adoption-conformance',
  version: '1.0.0',
  interface: '1.0.0',
}
