#version 300 es
precision highp float;
// The film look: bloom and halation, white balance, tone curve, split toning, vignette, grain.
uniform sampler2D uNegative, uNear, uFar;
uniform vec2 uSize;
uniform vec3 uBalance, uShadows, uHighlights;
uniform float uExposure, uContrast, uSaturation, uFade, uMono, uVignette, uGrain, uGrainSeed, uBloom, uFringe;
out vec4 print;

float hash(vec2 p) {
  vec3 q = fract(vec3(p.xyx) * 0.1031 + uGrainSeed * 0.0137);
  q += dot(q, q.yzx + 33.33);
  return fract((q.x + q.y) * q.z);
}

/** Nearly Gaussian, mean 0, softened over neighbours so that it looks like grain and not like sensor noise. */
float grainAt(vec2 p) {
  float sum = 0.0;
  for (int i = 0; i < 4; i++) {
    vec2 q = p + vec2(i & 1, i >> 1);
    sum += hash(q) + hash(q + 311.7) - 1.0;
  }
  return sum * 0.5;
}

vec4 cubic(float v) {
  vec4 n = vec4(1.0, 2.0, 3.0, 4.0) - v;
  vec4 s = n * n * n;
  vec3 a = vec3(s.x, s.y - 4.0 * s.x, s.z - 4.0 * s.y + 6.0 * s.x);
  return vec4(a, 6.0 - a.x - a.y - a.z) / 6.0;
}

/** Catmull-Rom, for enlarging the negative without softness. */
vec3 enlarge(vec2 uv) {
  vec2 size = vec2(textureSize(uNegative, 0));
  vec2 p = uv * size, centre = floor(p - 0.5) + 0.5, f = p - centre;
  vec2 w0 = f * (-0.5 + f * (1.0 - 0.5 * f)), w1 = 1.0 + f * f * (-2.5 + 1.5 * f);
  vec2 w2 = f * (0.5 + f * (2.0 - 1.5 * f)), w3 = f * f * (-0.5 + 0.5 * f), w12 = w1 + w2;
  vec2 t0 = (centre - 1.0) / size, t3 = (centre + 2.0) / size, t12 = (centre + w2 / w12) / size;
  vec3 c = texture(uNegative, vec2(t0.x, t12.y)).rgb * w0.x * w12.y + texture(uNegative, vec2(t12.x, t0.y)).rgb * w12.x * w0.y +
           texture(uNegative, t12).rgb * w12.x * w12.y + texture(uNegative, vec2(t3.x, t12.y)).rgb * w3.x * w12.y +
           texture(uNegative, vec2(t12.x, t3.y)).rgb * w12.x * w3.y;
  float total = w0.x * w12.y + w12.x * w0.y + w12.x * w12.y + w3.x * w12.y + w12.x * w3.y;
  return max(c / total, 0.0);
}

vec3 curve(vec3 x) {
  x = max(x, 0.0);
  return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

void main() {
  vec2 uv = gl_FragCoord.xy / uSize, off = uv - 0.5;
  vec2 fringe = off * dot(off, off) * uFringe;
  vec3 c = vec3(enlarge(uv + fringe).r, enlarge(uv).g, enlarge(uv - fringe).b);
  vec3 near = texture(uNear, uv).rgb, far = texture(uFar, uv).rgb;
  c = mix(c, near, uBloom * 0.35) + uBloom * (0.25 * near * vec3(1.0, 0.9, 0.8) + 0.3 * far * vec3(1.0, 0.72, 0.55)) *
      smoothstep(0.3, 1.6, dot(far, vec3(0.333)) + 0.4 * dot(near, vec3(0.333)));
  float edge = dot(off, off) * 2.0;
  c *= uBalance * exp2(uExposure) * (1.0 - uVignette * pow(edge, 1.3));
  c = pow(curve(c * 0.8), vec3(1.0 / 2.2));
  float grey = dot(c, vec3(0.3, 0.59, 0.11));
  c = mix(vec3(grey), c, uSaturation);
  c = mix(c, vec3(dot(c, vec3(0.4, 0.45, 0.15))), uMono);
  c = clamp(mix(c, c * c * (3.0 - 2.0 * c), uContrast), 0.0, 1.0);
  float tone = dot(c, vec3(0.3, 0.59, 0.11));
  c += (uShadows - 0.5) * (1.0 - tone) * (1.0 - tone) * 0.35 + (uHighlights - 0.5) * tone * tone * 0.35;
  c = mix(c, c * (0.94 - uFade) + uFade, step(0.001, uFade));
  float g = grainAt(gl_FragCoord.xy);
  vec3 tint = vec3(g) + (1.0 - uMono) * 0.25 * vec3(grainAt(gl_FragCoord.xy + 37.0), 0.0, grainAt(gl_FragCoord.yx + 91.0));
  c += uGrain * tint * (0.35 + 1.3 * sqrt(max(tone * (1.0 - tone), 0.0)));
  print = vec4(clamp(c, 0.0, 1.0), 1.0);
}
