#version 300 es
precision highp float;
// Non-local means: a pixel becomes the mean of the neighbours whose surroundings look like its own.
uniform sampler2D uSource;
uniform float uStrength;
out vec4 cleaned;

vec3 at(ivec2 p) {
  vec3 c = texelFetch(uSource, clamp(p, ivec2(0), textureSize(uSource, 0) - 1), 0).rgb;
  return log(1.0 + 4.0 * c);
}

void main() {
  ivec2 here = ivec2(gl_FragCoord.xy);
  if (uStrength <= 0.0) {
    cleaned = texelFetch(uSource, here, 0);
    return;
  }
  vec3 patchHere[9];
  for (int i = 0; i < 9; i++) patchHere[i] = at(here + ivec2(i % 3 - 1, i / 3 - 1));
  vec3 sum = vec3(0.0);
  float total = 0.0;
  for (int y = -4; y <= 4; y++)
    for (int x = -4; x <= 4; x++) {
      ivec2 there = here + ivec2(x, y);
      float difference = 0.0;
      for (int i = 0; i < 9; i++) {
        vec3 d = at(there + ivec2(i % 3 - 1, i / 3 - 1)) - patchHere[i];
        difference += dot(d, d);
      }
      float weight = exp(-difference / (27.0 * 0.02 * uStrength * uStrength) - float(x * x + y * y) * 0.04);
      sum += weight * at(there);
      total += weight;
    }
  cleaned = vec4((exp(sum / total) - 1.0) / 4.0, 1.0);
}
