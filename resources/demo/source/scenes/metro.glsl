// An underground platform before the first train.
#include "camera.glsl"

/** What light the two rows of lamps throw on a point of a surface. */
float lamps(vec3 p, vec3 n) {
  float sum = 0.06;
  for (int i = -1; i <= 2; i++)
    for (int s = 0; s < 2; s++) {
      vec3 at = vec3(s == 0 ? -1.5 : 1.9, 3.3, (floor(p.z / 3.0) + float(i)) * 3.0 + 1.5);
      vec3 to = at - p;
      float d2 = dot(to, to);
      sum += max(dot(n, to) / sqrt(d2), 0.0) * 1.5 / (0.6 + d2);
    }
  return sum;
}

vec3 look(Ray ray, bool first) {
  vec3 t3 = (mix(vec3(-3.2, -1.2, -9.0), vec3(3.4, 3.4, 90.0), step(0.0, ray.along)) - ray.from) / ray.along;
  float edge = (0.0 - ray.from.y) / ray.along.y;
  vec3 onEdge = ray.from + edge * ray.along;
  float t = min(t3.x, min(t3.y, t3.z));
  vec3 n = t == t3.x ? vec3(-sign(ray.along.x), 0, 0) : t == t3.y ? vec3(0, -sign(ray.along.y), 0) : vec3(0, 0, -1);
  if (edge > 0.0 && edge < t && onEdge.x < 0.9) { t = edge; n = vec3(0, 1, 0); }
  float side = (0.9 - ray.from.x) / ray.along.x;
  vec3 onSide = ray.from + side * ray.along;
  if (side > 0.0 && side < t && onSide.y < 0.0) { t = side; n = vec3(1, 0, 0); }
  vec3 p = ray.from + t * ray.along, c;
  if (n.z < 0.0) c = vec3(0.01, 0.012, 0.012);
  else if (n.y < 0.0) {
    float rib = smoothstep(0.16, 0.12, abs(fract(p.z / 3.0) - 0.5) * 3.0 - 1.32 + 0.12);
    c = vec3(0.30, 0.32, 0.31) * (0.20 + 0.25 * rib);
    float tube = min(abs(p.x + 1.5), abs(p.x - 1.9));
    if (tube < 0.075 && abs(fract(p.z / 3.0) - 0.5) < 0.40) return vec3(5.2, 5.6, 5.0);
    c += vec3(0.4, 0.45, 0.4) * exp(-tube * 5.0) * 0.6;
  } else if (n.y > 0.0 && p.y > -0.5) {
    vec2 slab = fract(p.xz / 0.8);
    c = vec3(0.22, 0.22, 0.21) * (0.75 + 0.4 * hash2(floor(p.xz / 0.8))) * (0.8 + 0.3 * fbm(p.xz * 3.0, 4));
    c *= 1.0 - 0.5 * smoothstep(0.975, 0.99, max(slab.x, slab.y));
    float strip = smoothstep(0.01, -0.01, abs(p.x - 0.42) - 0.17);
    vec2 dot_ = fract(p.xz * 9.0) - 0.5;
    c = mix(c, vec3(0.72, 0.50, 0.04) * (0.75 + 0.4 * smoothstep(0.3, 0.2, length(dot_))), strip);
    c = mix(c, vec3(0.5), smoothstep(0.01, -0.01, abs(p.x - 0.82) - 0.05));
    c *= lamps(p, n) * vec3(0.95, 1.03, 0.95);
    if (!first) return c;
    float fresnel = 0.05 + 0.75 * pow(1.0 - max(-ray.along.y, 0.0), 5.0);
    return vec3(fresnel, -1.0, t);
  } else if (n.x != 0.0 && p.y > -0.02) {
    vec2 g = vec2(p.z / 0.34, p.y / 0.17);
    g.x += 0.5 * mod(floor(g.y), 2.0);
    vec2 f = fract(g);
    float joint = smoothstep(0.03, 0.06, min(f.x, 1.0 - f.x)) * smoothstep(0.05, 0.10, min(f.y, 1.0 - f.y));
    vec3 tile = mix(vec3(0.66, 0.68, 0.62), vec3(0.03, 0.22, 0.20), smoothstep(0.005, -0.005, abs(p.y - 1.62) - 0.26));
    c = tile * (0.88 + 0.2 * hash2(floor(g))) * mix(0.35, 1.0, joint);
    vec2 poster = vec2(mod(p.z, 6.0) - 3.0, p.y - 1.35);
    if (n.x < 0.0 && box2(poster, vec2(1.15, 0.72)) < 0.0) {
      float id = hash1(floor(p.z / 6.0));
      c = mix(vec3(0.75, 0.18, 0.08), vec3(0.08, 0.16, 0.38), step(0.5, id)) * (0.7 + 0.5 * step(0.0, poster.y + 0.5 * sin(poster.x * 2.0 + id * 9.0)));
      c = mix(c, vec3(0.85, 0.8, 0.7), smoothstep(0.01, -0.01, length(poster - vec2(0.4 - id, 0.12)) - 0.30));
      c *= smoothstep(0.0, -0.03, box2(poster, vec2(1.15, 0.72)));
    }
    c *= lamps(p, n) * vec3(0.96, 1.03, 0.95) * 1.15;
  } else {
    float rail = min(abs(p.x - 1.45), abs(p.x - 2.75));
    float sleeper = step(0.5, fract(p.z / 0.7));
    c = vec3(0.05, 0.048, 0.042) * (0.5 + 0.6 * sleeper) * (0.6 + 0.8 * noise(p.xz * 18.0));
    c = mix(c, vec3(0.42), smoothstep(0.045, 0.03, rail)) * (0.3 + lamps(p, n));
  }
  return mix(c, vec3(0.010, 0.016, 0.014), 1.0 - exp(-max(p.z, 0.0) * 0.022));
}

vec3 photo(vec2 uv) {
  Ray ray = shoot(uv, vec3(-0.75, 1.45, -6.0), vec3(-0.40, 1.30, 10.0), 1.5, 0.0, 1.0);
  vec3 c = look(ray, true);
  if (c.y == -1.0) {
    vec3 p = ray.from + c.z * ray.along;
    vec2 rough = 0.028 * (random2() + random2() - 1.0);
    vec3 back = reflect(ray.along, normalize(vec3(rough.x * 0.5, 1.0, rough.y)));
    back.y = abs(back.y);
    Ray down = Ray(vec3(p.x, 0.5, p.z), normalize(vec3(ray.along.x, -1000.0, ray.along.z)));
    c = look(Ray(vec3(p.x, 0.001, p.z), vec3(1e-4, -1.0, 1e-4)), false) + c.x * look(Ray(p + vec3(0, 0.002, 0), back), false);
  }
  vec2 clock = uv - vec2(0.30, 0.44);
  float face = length(clock);
  c = mix(c, vec3(0.02), smoothstep(0.004, -0.004, min(face - 0.088, box2(clock - vec2(0.0, 0.32), vec2(0.008, 0.24)))));
  float hands = min(segment(clock, vec2(0.0), vec2(0.026, 0.030)) - 0.005, segment(clock, vec2(0.0), vec2(0.052, 0.022)) - 0.0035);
  c = mix(c, hands < 0.0 ? vec3(0.02) : vec3(1.5, 1.5, 1.3), smoothstep(0.003, -0.003, face - 0.076));
  return c * 1.25;
}
