// Lattice noise, in one place for all scenes. Values in 0..1.

float hash1(float x) { return fract(sin(x * 127.1) * 43758.5453); }

float hash2(vec2 p) {
  vec3 q = fract(vec3(p.xyx) * 0.1031);
  q += dot(q, q.yzx + 33.33);
  return fract((q.x + q.y) * q.z);
}

float hash3(vec3 p) {
  p = fract(p * 0.1031);
  p += dot(p, p.zyx + 31.32);
  return fract((p.x + p.y) * p.z);
}

vec2 hash22(vec2 p) { return vec2(hash2(p), hash2(p + 71.7)); }

float noise(vec2 p) {
  vec2 i = floor(p), f = fract(p), s = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash2(i), hash2(i + vec2(1, 0)), s.x), mix(hash2(i + vec2(0, 1)), hash2(i + 1.0), s.x), s.y);
}

float noise(vec3 p) {
  vec3 i = floor(p), f = fract(p), s = f * f * (3.0 - 2.0 * f);
  vec2 o = vec2(0, 1);
  vec4 a = vec4(hash3(i), hash3(i + o.yxx), hash3(i + o.xyx), hash3(i + o.yyx));
  vec4 b = vec4(hash3(i + o.xxy), hash3(i + o.yxy), hash3(i + o.xyy), hash3(i + 1.0));
  vec4 c = mix(a, b, s.z);
  return mix(mix(c.x, c.y, s.x), mix(c.z, c.w, s.x), s.y);
}

float fbm(vec2 p, int octaves) {
  float sum = 0.0, weight = 0.5;
  for (int i = 0; i < octaves; i++) {
    sum += weight * noise(p);
    p = mat2(1.6, 1.2, -1.2, 1.6) * p + 17.3;
    weight *= 0.5;
  }
  return sum;
}

float fbm(vec3 p, int octaves) {
  float sum = 0.0, weight = 0.5;
  for (int i = 0; i < octaves; i++) {
    sum += weight * noise(p);
    p = p.yzx * 2.03 + 11.7;
    weight *= 0.5;
  }
  return sum;
}

/** Distance to the nearest and second nearest cell centre, and the nearest cell's random number. */
vec3 cells(vec2 p) {
  vec2 i = floor(p);
  vec3 best = vec3(9.0, 9.0, 0.0);
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++) {
      vec2 c = i + vec2(x, y);
      float d = length(c + hash22(c) - p);
      if (d < best.x) best = vec3(d, best.x, hash2(c + 3.1));
      else best.y = min(best.y, d);
    }
  return best;
}

mat2 turn(float angle) {
  float c = cos(angle), s = sin(angle);
  return mat2(c, -s, s, c);
}
